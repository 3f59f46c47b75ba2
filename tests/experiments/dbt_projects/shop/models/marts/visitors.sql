select count(*) as visits from {{ ref('stg_visits') }}
