select customer, some_function_of_ours(cents) as points from {{ ref('stg_orders') }}
