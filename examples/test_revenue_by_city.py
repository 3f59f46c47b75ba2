"""Guards the refactoring of `revenue_by_city.py`: the functions are called on empty tables, in a Spark of their own."""

import pytest

FUNCTIONS = "revenue_by_city.py:before", "revenue_by_city.py:after"


@pytest.mark.spark
def test_summing_by_customer_first_gives_the_same_revenue(assert_equivalent):
    assert_equivalent(*FUNCTIONS, schema="shop.sql")


@pytest.mark.spark
def test_an_inner_join_would_lose_cities(assert_equivalent):
    with pytest.raises(AssertionError, match="orders: no rows"):
        assert_equivalent("revenue_by_city.py:before", "revenue_by_city.py:inner", schema="shop.sql")
