"""Guards the refactoring of shipped.sql: run `pytest examples`."""


def test_one_row_a_customer_first_counts_the_same_orders(assert_equivalent_sql):
    assert_equivalent_sql("shipped.sql", "shipped_faster.sql", schema="schema.sql")
