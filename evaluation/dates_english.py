"""English time expressions and what they mean, by the reference they are read at. See ``evaluation.dates`` for how they are written."""

from __future__ import annotations

from collections.abc import Mapping

#: A Wednesday morning; New York changed its clocks three days before, London will in eighteen days.
SPRING = """
yesterday                                           2026-03-10
I talked to her yesterday                           2026-03-10
today                                               2026-03-11
tomorrow                                            2026-03-12
tmrw                                                2026-03-12
the day before yesterday                            2026-03-09
the day after tomorrow                              2026-03-13
three days ago                                      2026-03-08
3 days ago                                          2026-03-08
ten days ago                                        2026-03-01
a day ago                                           2026-03-10
in two days                                         2026-03-13
in 5 days                                           2026-03-16
four days from now                                  2026-03-15
a couple of days ago                                2026-03-08/2026-03-10
a few days ago                                      2026-03-04/2026-03-10
last week                                           2026-03-02/2026-03-09
went to Paris last week                             2026-03-02/2026-03-09
this week                                           2026-03-09/2026-03-16
next week                                           2026-03-16/2026-03-23
the week before last                                2026-02-23/2026-03-02
the week after next                                 2026-03-23/2026-03-30
two weeks ago                                       2026-02-22/2026-03-01
the past 7 days                                     2026-03-04/2026-03-12
the last seven days                                 2026-03-04/2026-03-12
the last 3 days                                     2026-03-08/2026-03-12
last month                                          2026-02-01/2026-03-01
this month                                          2026-03-01/2026-04-01
next month                                          2026-04-01/2026-05-01
two months ago                                      2026-01-01/2026-02-01
six months ago                                      2025-09-01/2025-10-01
in three months                                     2026-06-01/2026-07-01
last year                                           2025-01-01/2026-01-01
this year                                           2026-01-01/2027-01-01
next year                                           2027-01-01/2028-01-01
five years ago                                      2021-01-01/2022-01-01
in ten years                                        2036-01-01/2037-01-01
last Friday                                         2026-03-06
this Friday                                         2026-03-13
next Friday                                         2026-03-20
last Wednesday                                      2026-03-04
next Monday                                         2026-03-16
this Sunday                                         2026-03-15
we met on Friday                                    2026-03-06
we will meet on Friday                              2026-03-13
the report is due by Friday                         ../2026-03-14
last Monday morning                                 2026-03-09T05:00/2026-03-09T12:00
yesterday morning                                   2026-03-10T05:00/2026-03-10T12:00
yesterday afternoon                                 2026-03-10T12:00/2026-03-10T18:00
yesterday evening                                   2026-03-10T17:00/2026-03-11T00:00
last night                                          2026-03-10T18:00/2026-03-11T06:00
tonight                                             2026-03-11T18:00/2026-03-12T06:00
this morning                                        2026-03-11T05:00/2026-03-11T12:00
this afternoon                                      2026-03-11T12:00/2026-03-11T18:00
tomorrow night                                      2026-03-12T18:00/2026-03-13T06:00
last weekend                                        2026-03-07/2026-03-09
this weekend                                        2026-03-14/2026-03-16
next weekend                                        2026-03-21/2026-03-23
two hours ago                                       -150m/-90m
an hour ago                                         -90m/-30m
last summer                                         2025-06-01/2025-09-01
next summer                                         2026-06-01/2026-09-01
"""

#: A Monday evening; New York changed its clocks the day before, London eight days before.
AUTUMN = """
March 3                                             2026-03-03
March 3rd                                           2026-03-03
the 3rd of March                                    2026-03-03
3 March 2024                                        2024-03-03
March 3, 2024                                       2024-03-03
2024-03-03                                          2024-03-03
2024/3/3                                            2024-03-03
3 Mar 2024                                          2024-03-03
Oct. 25                                             2026-10-25
she was born on July 4th, 1990                      1990-07-04
in May 2023                                         2023-05-01/2023-06-01
May 2023                                            2023-05-01/2023-06-01
in September                                        2026-09-01/2026-10-01
since September                                     2026-09-01/..
since 2019                                          2019-01-01/..
after October 20                                    2026-10-21/..
until yesterday                                     ../2026-11-02
before October 15                                   ../2026-10-15
in 2024                                             2024-01-01/2025-01-01
early October                                       2026-10-01/2026-10-11
mid-October                                         2026-10-11/2026-10-21
late October                                        2026-10-21/2026-11-01
at the end of last year                             2025-11-01/2026-01-01
from October 20 to October 25                       2026-10-20/2026-10-26
between October 24 and October 26                   2026-10-24/2026-10-27
October 24-26                                       2026-10-24/2026-10-27
Q3 2026                                             2026-07-01/2026-10-01
last quarter                                        2026-07-01/2026-10-01
this quarter                                        2026-10-01/2027-01-01
yesterday                                           2026-11-01
the day before yesterday                            2026-10-31
tomorrow                                            2026-11-03
eight days ago                                      2026-10-25
nine days ago                                       2026-10-24
last Sunday                                         2026-11-01
last Monday                                         2026-10-26
next Monday                                         2026-11-09
this Wednesday                                      2026-11-04
next Wednesday                                      2026-11-11
we're leaving on Thursday, we will call             2026-11-05
last week                                           2026-10-26/2026-11-02
last weekend                                        2026-10-31/2026-11-02
next week                                           2026-11-09/2026-11-16
last month                                          2026-10-01/2026-11-01
next month                                          2026-12-01/2027-01-01
last spring                                         2026-03-01/2026-06-01
this autumn                                         2026-09-01/2026-12-01
this fall                                           2026-09-01/2026-12-01
next winter                                         2026-12-01/2027-03-01
Christmas 2025                                      2025-12-25
last Christmas                                      2025-12-25
Halloween                                           2026-10-31
New Year's Day 2026                                 2026-01-01
Valentine's Day                                     2026-02-14
two days ago                                        2026-10-31
three weeks ago                                     2026-10-09/2026-10-16
a year ago                                          2025-01-01/2026-01-01
a month ago                                         2026-10-01/2026-11-01
24 hours ago                                        -1470m/-1410m
48 hours ago                                        -2910m/-2850m
the past 14 days                                    2026-10-19/2026-11-03
last Tuesday afternoon                              2026-10-27T12:00/2026-10-27T18:00
yesterday at noon                                   2026-11-01T12:00/2026-11-01T13:00
tomorrow at 9am                                     2026-11-03T09:00/2026-11-03T10:00
the 90s                                             1990-01-01/2000-01-01
the 1980s                                           1980-01-01/1990-01-01
"""

#: The Sunday on which London's clocks go forward, at noon; New York's went three weeks before.
LONDON_SUNDAY = """
yesterday                                           2026-03-28
today                                               2026-03-29
tomorrow                                            2026-03-30
last night                                          2026-03-28T18:00/2026-03-29T06:00
this morning                                        2026-03-29T05:00/2026-03-29T12:00
tonight                                             2026-03-29T18:00/2026-03-30T06:00
this week                                           2026-03-23/2026-03-30
last week                                           2026-03-16/2026-03-23
next week                                           2026-03-30/2026-04-06
last Saturday                                       2026-03-28
last Sunday                                         2026-03-22
next Sunday                                         2026-04-05
this weekend                                        2026-03-28/2026-03-30
last weekend                                        2026-03-21/2026-03-23
next weekend                                        2026-04-04/2026-04-06
12 hours ago                                        -750m/-690m
three hours ago                                     -210m/-150m
21 days ago                                         2026-03-08
one week ago                                        2026-03-19/2026-03-26
the last two days                                   2026-03-27/2026-03-30
on March 8                                          2026-03-08
April 5                                             2025-04-05
we will fly on April 5                              2026-04-05
my exam is on May 12, I will be ready               2026-05-12
in August                                           2025-08-01/2025-09-01
next August                                         2026-08-01/2026-09-01
last August                                         2025-08-01/2025-09-01
by the end of next week                             ../2026-04-06
in a week                                           2026-04-02/2026-04-09
in two weeks                                        2026-04-09/2026-04-16
in a month                                          2026-04-01/2026-05-01
next year                                           2027-01-01/2028-01-01
two years ago                                       2024-01-01/2025-01-01
ten years ago                                       2016-01-01/2017-01-01
early this year                                     2026-01-01/2026-05-01
the first week of March                             2026-03-01/2026-03-08
the second half of 2025                             2025-07-01/2026-01-01
last Thursday evening                               2026-03-26T17:00/2026-03-27T00:00
next Tuesday morning                                2026-03-31T05:00/2026-03-31T12:00
at 3pm yesterday                                    2026-03-28T15:00/2026-03-28T16:00
February 29, 2024                                   2024-02-29
December 31st                                       2025-12-31
1 January 2026                                      2026-01-01
03/28/2026                                          2026-03-28
from March 27 until March 30                        2026-03-27/2026-03-31
"""

#: Local time of the reference → a table.
TABLES: Mapping[str, str] = {"2026-03-11T09:30": SPRING, "2026-11-02T20:15": AUTUMN, "2026-03-29T12:00": LONDON_SUNDAY}
