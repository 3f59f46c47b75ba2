"""Guards the refactoring of revenue.sql: run `pytest examples`."""


def test_one_row_a_customer_first_gives_the_same_revenue(assert_equivalent_sql):
    assert_equivalent_sql("revenue.sql", "revenue_faster.sql", schema="schema.sql")
