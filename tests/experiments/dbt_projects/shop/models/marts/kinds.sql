{% for kind in run_query('select distinct kind from kinds') %}select '{{ kind }}'{% endfor %}
