-- What an account's open pages hear of is said by the tables themselves, in the writing transaction: no query can forget it.
CREATE FUNCTION notify_of_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  said CONSTANT integer := coalesce(nullif(current_setting('mems.notices_said', true), ''), '0')::integer;
BEGIN
  PERFORM set_config('mems.notices_said', (said + 1)::text, true);
  -- A notice has room for 8,000 bytes. Equal ones of one transaction are sent as one: a bulk names what it begins with,
  -- and then says "many" once.
  PERFORM pg_notify('account_events', json_build_object(
    'ownerId', owner_id,
    'kind', TG_ARGV[0],
    'ids', CASE WHEN count(*) <= 100 AND said < 5 THEN json_agg(id) END
  )::text)
  FROM changed GROUP BY owner_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION notify_of_ended_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Never which: a session's id is a secret.
  PERFORM pg_notify('account_events', json_build_object('ownerId', owner_id, 'kind', 'session', 'ids', NULL)::text)
  FROM ended WHERE owner_id IS NOT NULL GROUP BY owner_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER notify_of_new AFTER INSERT ON memories REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_of_changes('memory');
--> statement-breakpoint
CREATE TRIGGER notify_of_changed AFTER UPDATE ON memories REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_of_changes('memory');
--> statement-breakpoint
CREATE TRIGGER notify_of_gone AFTER DELETE ON memories REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_of_changes('memory');
--> statement-breakpoint
CREATE TRIGGER notify_of_new AFTER INSERT ON pets REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_of_changes('pet');
--> statement-breakpoint
CREATE TRIGGER notify_of_changed AFTER UPDATE ON pets REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_of_changes('pet');
--> statement-breakpoint
CREATE TRIGGER notify_of_gone AFTER DELETE ON pets REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_of_changes('pet');
--> statement-breakpoint
CREATE TRIGGER notify_of_ended AFTER DELETE ON sessions REFERENCING OLD TABLE AS ended
  FOR EACH STATEMENT EXECUTE FUNCTION notify_of_ended_sessions();
