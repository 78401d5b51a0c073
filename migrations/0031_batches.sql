CREATE TABLE "batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"taken_back_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "batch_id" uuid;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "batch_id" uuid;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "batches_owner" ON "batches" USING btree ("owner_id","created_at");--> statement-breakpoint
ALTER TABLE "memories" ADD CONSTRAINT "memories_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "memories_batch" ON "memories" USING btree ("batch_id") WHERE "memories"."batch_id" is not null;--> statement-breakpoint
-- Those of a batch are one event, when it is finished.
CREATE FUNCTION notify_of_new_memories() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  said CONSTANT integer := coalesce(nullif(current_setting('mems.notices_said', true), ''), '0')::integer;
BEGIN
  PERFORM set_config('mems.notices_said', (said + 1)::text, true);
  PERFORM pg_notify('account_events', json_build_object(
    'ownerId', owner_id,
    'kind', 'memory',
    'ids', CASE WHEN count(*) <= 100 AND said < 5 THEN json_agg(id) END
  )::text)
  FROM added WHERE batch_id IS NULL GROUP BY owner_id;
  RETURN NULL;
END $$;--> statement-breakpoint
DROP TRIGGER "notify_of_new" ON "memories";--> statement-breakpoint
CREATE TRIGGER "notify_of_new" AFTER INSERT ON "memories" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION notify_of_new_memories();
