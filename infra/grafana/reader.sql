-- The user that dashboards read with: the views named v_*, and nothing else. Run again after a migration that adds one, in a session
-- that was told the password:
--   psql -c "select set_config('reader.password', '…', false)" -f infra/grafana/reader.sql "$DATABASE_URL"
do $$
declare
  readable regclass;
begin
  if to_regclass('public.v_bank') is null then
    raise exception 'the views are not there yet: `migrate` makes them';
  end if;
  if not exists (select from pg_roles where rolname = 'dashboard') then
    create role dashboard login;
  end if;
  begin
    execute format('alter role dashboard password %L', current_setting('reader.password'));
  exception
    -- The statement itself, which an error shows, holds the password.
    when others then raise exception 'the password of dashboard cannot be set: %', sqlerrm;
  end;
  -- A panel that asks too much gives up instead of holding the database.
  alter role dashboard set statement_timeout = '30s';
  alter role dashboard set default_transaction_read_only = on;
  for readable in
    select oid::regclass from pg_class
    where relkind = 'v' and relnamespace = 'public'::regnamespace and relname like 'v\_%'
  loop
    execute format('grant select on %s to dashboard', readable);
  end loop;
end
$$;
