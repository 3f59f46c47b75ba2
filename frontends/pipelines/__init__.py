"""PySpark pipelines: functions over DataFrames as the models of a workflow."""
