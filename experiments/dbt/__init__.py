"""What is read of a real dbt project, without dbt and without a warehouse."""
