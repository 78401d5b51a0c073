ALTER TABLE "inbound_emails" DROP CONSTRAINT "inbound_emails_once";--> statement-breakpoint
ALTER TABLE "inbound_emails" ADD COLUMN "sha256" text;--> statement-breakpoint
-- Only proven mail of known senders was added without anybody's OK.
UPDATE "inbound_emails" SET "is_proven" = true
  WHERE "status" = 'done' AND "outcome" IS NOT NULL AND "accepted_at" IS NULL;--> statement-breakpoint
-- What had no Message-ID was known by its bytes already.
UPDATE "inbound_emails" SET "sha256" = left("message_id", 64), "message_id" = NULL
  WHERE "message_id" ~ '^[0-9a-f]{64}@bytes$';--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_emails_proven_once" ON "inbound_emails" USING btree ("owner_id","sender","message_id") WHERE "inbound_emails"."is_proven";--> statement-breakpoint
CREATE INDEX "inbound_emails_message" ON "inbound_emails" USING btree ("owner_id","message_id");--> statement-breakpoint
ALTER TABLE "inbound_emails" ADD CONSTRAINT "inbound_emails_once" UNIQUE("owner_id","sha256");