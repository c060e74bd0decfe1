"""Running a tree of dataset descriptions: passes and their random streams, threads, queues."""
