-- The users that the services sign in as: `lending_writer` (indexer, rate poller) writes all tables and makes partitions, `lending_api`
-- reads all and writes its own. Run it again after every migration, as a superuser, in a session that holds the passwords:
--   psql -c "select set_config('roles.writer', '…', false), set_config('roles.api', '…', false)" -f infra/postgres/roles.sql "$DATABASE_URL"

-- A session that waits for a lock on a table makes later readers of that table wait, too: give up soon, and run again.
set lock_timeout = '1s';

do $$
declare
  relation regclass;
  role text;
  password text;
begin
  foreach role in array array['lending_writer', 'lending_api'] loop
    begin
      execute format('create role %I login', role);
    exception
      when duplicate_object or unique_violation then null;
    end;
    password := current_setting(replace(role, 'lending_', 'roles.'));
    if password = '' then
      raise exception 'the password of % is empty', role;
    end if;
    begin
      execute format('alter role %I login password %L', role, password);
    exception
      -- The statement itself, which an error shows, holds the password.
      when others then raise exception 'the password of % cannot be set: %', role, sqlerrm;
    end;
  end loop;

  grant usage on schema public to lending_writer, lending_api;
  grant usage on all sequences in schema public to lending_writer, lending_api;

  grant create on schema public to lending_writer;
  grant select, insert, update, delete on all tables in schema public to lending_writer;
  -- Only the owner of a table may give it partitions and drop them.
  for relation in
    select oid::regclass from pg_class
    where (oid = 'rate_sample'::regclass or oid in (select inhrelid from pg_inherits where inhparent = 'rate_sample'::regclass))
      and relowner <> 'lending_writer'::regrole
  loop
    execute format('alter table %s owner to lending_writer', relation);
  end loop;

  revoke insert, update, delete, truncate on all tables in schema public from lending_api;
  grant select on all tables in schema public to lending_api;
  grant insert, update, delete on access_token, caller, conversation, conversation_entry, followed_address, idempotency_key, plan,
    rate_window, source_status to lending_api;

  -- What the next migration makes, until this runs again.
  alter default privileges in schema public grant select on tables to lending_api;
  alter default privileges in schema public grant select, insert, update, delete on tables to lending_writer;
end
$$;

reset lock_timeout;
