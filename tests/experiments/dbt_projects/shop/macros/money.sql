{% macro in_cents(column) %}{{ return(adapter.dispatch('in_cents')(column)) }}{% endmacro %}
{% macro default__in_cents(column) -%} cast({{ column }} * 100 as bigint) {%- endmacro %}
