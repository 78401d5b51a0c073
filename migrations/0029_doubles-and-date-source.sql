ALTER TABLE "memories" ADD COLUMN "image_sha256" text;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "date_source" text;--> statement-breakpoint
-- Open pages need no notification.
ALTER TABLE "memories" DISABLE TRIGGER "notify_of_changed";--> statement-breakpoint
-- Of duplicates, the oldest memory outside the trash gets the hash. None is deleted.
UPDATE "memories" SET "image_sha256" = "first"."sha256" FROM (
  SELECT DISTINCT ON ("memories"."owner_id", "images"."sha256") "memories"."id", "images"."sha256"
  FROM "memories" JOIN "images" ON "images"."id" = "memories"."image_id"
  ORDER BY "memories"."owner_id", "images"."sha256", "memories"."deleted_at" IS NOT NULL, "memories"."created_at", "memories"."id"
) AS "first" WHERE "memories"."id" = "first"."id";--> statement-breakpoint
ALTER TABLE "memories" ENABLE TRIGGER "notify_of_changed";--> statement-breakpoint
CREATE UNIQUE INDEX "memories_photo_once" ON "memories" USING btree ("owner_id","image_sha256") WHERE "memories"."image_sha256" is not null;
