ALTER TABLE "pets" ADD COLUMN "profile_original_id" uuid;--> statement-breakpoint
ALTER TABLE "pets" ADD COLUMN "profile_crop" jsonb;--> statement-breakpoint
ALTER TABLE "pets" ADD CONSTRAINT "pets_profile_original_id_images_id_fk" FOREIGN KEY ("profile_original_id") REFERENCES "public"."images"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pets_profile_original" ON "pets" USING btree ("profile_original_id");