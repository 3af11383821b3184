"""Facts that others react to, written in the transaction of the change."""
