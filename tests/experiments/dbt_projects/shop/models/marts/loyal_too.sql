select customer, some_function_of_ours(order_id) as points from {{ ref('stg_orders') }}
