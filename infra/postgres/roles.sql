-- The users that the services sign in as: `lending_writer` (indexer, rate poller) writes all tables and makes partitions, `lending_api`
-- reads all and writes its own. Run it again after every migration, as a superuser, in a session that holds the passwords:
--   psql -c "select set_config('roles.writer', '…', false), set_config('roles.api', '…', false)" -f infra/postgres/roles.sql "$DATABASE_URL"
do $$
declare
  partition regclass;
  role text;
begin
  foreach role in array array['lending_writer', 'lending_api'] loop
    begin
      execute format('create role %I', role);
    exception
      when duplicate_object or unique_violation then null;
    end;
  end loop;
  execute format('alter role lending_writer login password %L', current_setting('roles.writer'));
  execute format('alter role lending_api login password %L', current_setting('roles.api'));

  grant usage on schema public to lending_writer, lending_api;
  grant usage on all sequences in schema public to lending_writer, lending_api;

  grant create on schema public to lending_writer;
  grant select, insert, update, delete on all tables in schema public to lending_writer;
  -- Only the owner of a table may give it partitions and drop them.
  alter table rate_sample owner to lending_writer;
  for partition in select inhrelid::regclass from pg_inherits where inhparent = 'rate_sample'::regclass loop
    execute format('alter table %s owner to lending_writer', partition);
  end loop;

  revoke all on all tables in schema public from lending_api;
  grant select on all tables in schema public to lending_api;
  grant insert, update, delete on access_token, caller, conversation, conversation_entry, followed_address, idempotency_key, plan,
    rate_window, source_status to lending_api;
end
$$;
