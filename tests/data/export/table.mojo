comptime configs = List(
    # begin of the table
    stale
    # end of the table
)
