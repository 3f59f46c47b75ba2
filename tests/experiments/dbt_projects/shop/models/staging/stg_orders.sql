select id as order_id, customer, {{ in_cents('amount') }} as cents, cast(ordered_at as date) as ordered_on
from {{ source('raw', 'orders') }}
where cast(ordered_at as date) >= date '{{ var("first_day") }}' {# since then #}
{% if is_incremental() %} and ordered_at > (select max(ordered_at) from {{ this }}) {% endif %}
