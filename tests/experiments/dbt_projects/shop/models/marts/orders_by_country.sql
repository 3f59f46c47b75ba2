select c.country, n.name, count(*) as orders, sum(o.cents) as cents
from {{ ref('stg_orders') }} o
join {{ ref('stg_customers') }} c on c.id = o.customer
left join {{ ref('countries') }} n on n.code = c.country
group by c.country, n.name
