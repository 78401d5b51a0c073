-- Mail that begins to wait for its owner's OK, or no longer does: the list is short, and asked for as a whole.
CREATE FUNCTION notify_of_waiting_mail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('account_events', json_build_object(
    'ownerId', OLD.owner_id,
    'kind', 'held-message',
    'ids', NULL
  )::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER notify_of_changed AFTER UPDATE OF status ON inbound_emails FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND 'waiting' IN (OLD.status, NEW.status))
  EXECUTE FUNCTION notify_of_waiting_mail();
--> statement-breakpoint
CREATE TRIGGER notify_of_gone AFTER DELETE ON inbound_emails FOR EACH ROW
  WHEN (OLD.status = 'waiting')
  EXECUTE FUNCTION notify_of_waiting_mail();
