DROP INDEX "images_owner";--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "before" text;--> statement-breakpoint
CREATE INDEX "images_owner_sha256" ON "images" USING btree ("owner_id","sha256");--> statement-breakpoint
-- Duplicates came with the same release.
UPDATE "uploads" SET "before" = 'none' WHERE "status" = 'completed';
