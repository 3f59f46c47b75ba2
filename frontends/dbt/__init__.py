"""Projects of dbt, as workflows."""
