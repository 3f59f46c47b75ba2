"""Guards the refactoring in passing_grades.py: run `pytest examples`."""


def test_filtering_first_gives_the_same_histogram(assert_equivalent):
    assert_equivalent("passing_grades.py:before", "passing_grades.py:after")
