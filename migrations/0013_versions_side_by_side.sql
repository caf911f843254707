-- Two versions run side by side while one takes the other's place. A migration that takes away what older ones use says who can still go
-- on ("Versions before 0012 cannot go on." in a line of its own), and that is kept here: an older version asks before it starts.

alter table schema_migration add column oldest_version text;
