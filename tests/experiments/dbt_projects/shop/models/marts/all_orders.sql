select {% for column in adapter.get_columns_in_relation(ref('stg_orders')) %}{{ column.name }}{{ ", " if not loop.last }}{% endfor %}
from {{ ref('stg_orders') }}
