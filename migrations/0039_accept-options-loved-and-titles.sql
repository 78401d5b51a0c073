ALTER TABLE "flipbook_pdfs" ADD COLUMN "title" text;--> statement-breakpoint
ALTER TABLE "inbound_emails" ADD COLUMN "accept_options" jsonb;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "dismissed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "memories_owner_loved" ON "memories" USING btree ("owner_id","created_at","id") WHERE "memories"."deleted_at" is null and "memories"."is_liked";