DROP INDEX "memories_owner_created";--> statement-breakpoint
DROP INDEX "memories_owner_taken";--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "memories_owner_deleted" ON "memories" USING btree ("owner_id","deleted_at","id");--> statement-breakpoint
CREATE INDEX "memories_deleted" ON "memories" USING btree ("deleted_at") WHERE "memories"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "pets_profile_image" ON "pets" USING btree ("profile_image_id");--> statement-breakpoint
CREATE INDEX "uploads_memory" ON "uploads" USING btree ("memory_id");--> statement-breakpoint
CREATE INDEX "memories_owner_created" ON "memories" USING btree ("owner_id","created_at","id") WHERE "memories"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "memories_owner_taken" ON "memories" USING btree ("owner_id","taken_at","created_at","id") WHERE "memories"."deleted_at" is null;