ALTER TABLE "uploads" ADD COLUMN "rejection_reason" text;--> statement-breakpoint
-- Earlier releases stored a sentence; also one for each photo in the outcome of an email.
CREATE FUNCTION pg_temp.rejection_reason_of(message text) RETURNS text LANGUAGE sql AS $$
  SELECT CASE
    WHEN message LIKE 'This photo is damaged%' THEN 'damaged'
    WHEN message LIKE 'This photo has more pixels%' THEN 'too-many-pixels'
    WHEN message LIKE 'This photo is larger%' THEN 'too-large'
    WHEN message LIKE 'Your album is full%' THEN 'album-full'
    WHEN message LIKE 'Videos cannot%' THEN 'video'
    WHEN message LIKE 'One text adds%' THEN 'too-many'
    WHEN message LIKE 'This photo could not be fetched%' THEN 'gone'
    WHEN message LIKE 'This upload has expired%' THEN 'expired'
    WHEN message LIKE 'This upload was discarded%' THEN 'discarded'
    ELSE 'not-a-photo'
  END
$$;--> statement-breakpoint
UPDATE "uploads" SET "status" = 'rejected', "rejection_reason" = pg_temp.rejection_reason_of("refusal_message")
  WHERE "status" = 'refused';--> statement-breakpoint
UPDATE "inbound_emails" SET "outcome" = "outcome" - 'refusals' || jsonb_build_object('rejections', (
    SELECT coalesce(jsonb_agg(pg_temp.rejection_reason_of(message)), '[]'::jsonb)
    FROM jsonb_array_elements_text("outcome" -> 'refusals') AS message))
  WHERE "outcome" ? 'refusals';--> statement-breakpoint
ALTER TABLE "uploads" DROP COLUMN "refusal_status";--> statement-breakpoint
ALTER TABLE "uploads" DROP COLUMN "refusal_message";
