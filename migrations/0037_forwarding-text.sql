ALTER TABLE "inbound_emails" ADD COLUMN "forwarding_text" text;--> statement-breakpoint
CREATE INDEX "inbound_emails_forwarding" ON "inbound_emails" USING btree ("owner_id","created_at") WHERE "inbound_emails"."forwarding_text" is not null;--> statement-breakpoint
-- Its page shows it at once: the person waits for the code in another tab.
CREATE TRIGGER notify_of_forwarding AFTER UPDATE OF forwarding_text ON inbound_emails FOR EACH ROW
  WHEN (OLD.forwarding_text IS NULL AND NEW.forwarding_text IS NOT NULL)
  EXECUTE FUNCTION notify_of_waiting_mail();
