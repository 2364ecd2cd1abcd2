from app.services.intake.intake_report import Kept


def test_numbers_that_follow_one_another_are_one_range() -> None:
    kept = Kept()
    for before, last in ((4, 6), (6, 9), (11, 12)):
        kept.add_numbers(before, last)

    assert kept.numbers == [range(5, 10), range(12, 13)]
    assert [number for number in range(14) if kept.has_inserted(number)] == [5, 6, 7, 8, 9, 12]
