CREATE TABLE "caricature_days" (
	"owner_id" uuid NOT NULL,
	"day" date NOT NULL,
	"used" integer NOT NULL,
	CONSTRAINT "caricature_days_owner_id_day_pk" PRIMARY KEY("owner_id","day")
);
--> statement-breakpoint
CREATE TABLE "caricature_months" (
	"month" date PRIMARY KEY NOT NULL,
	"used" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "caricatures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"pet_id" uuid,
	"memory_id" uuid,
	"original_image_id" uuid,
	"style" text NOT NULL,
	"artist" text NOT NULL,
	"status" text NOT NULL,
	"failure_reason" text,
	"image_id" uuid,
	"kept_memory_id" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"counted_day" date NOT NULL,
	"counted_month" date,
	CONSTRAINT "caricatures_image_id_unique" UNIQUE("image_id")
);
--> statement-breakpoint
ALTER TABLE "public_links" ALTER COLUMN "memory_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "public_links" ADD COLUMN "caricature_id" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "caricature_consent_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "caricature_days" ADD CONSTRAINT "caricature_days_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "caricatures" ADD CONSTRAINT "caricatures_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "caricatures" ADD CONSTRAINT "caricatures_pet_id_pets_id_fk" FOREIGN KEY ("pet_id") REFERENCES "public"."pets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "caricatures" ADD CONSTRAINT "caricatures_memory_id_memories_id_fk" FOREIGN KEY ("memory_id") REFERENCES "public"."memories"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "caricatures" ADD CONSTRAINT "caricatures_original_image_id_images_id_fk" FOREIGN KEY ("original_image_id") REFERENCES "public"."images"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "caricatures" ADD CONSTRAINT "caricatures_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "caricatures" ADD CONSTRAINT "caricatures_kept_memory_id_memories_id_fk" FOREIGN KEY ("kept_memory_id") REFERENCES "public"."memories"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "caricatures_owner_created" ON "caricatures" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "caricatures_pet" ON "caricatures" USING btree ("pet_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "caricatures_one_generating" ON "caricatures" USING btree ("owner_id","original_image_id","style") WHERE "caricatures"."status" = 'generating';--> statement-breakpoint
CREATE INDEX "caricatures_generating" ON "caricatures" USING btree ("started_at") WHERE "caricatures"."status" = 'generating';--> statement-breakpoint
CREATE INDEX "caricatures_memory" ON "caricatures" USING btree ("memory_id");--> statement-breakpoint
CREATE INDEX "caricatures_original_image" ON "caricatures" USING btree ("original_image_id");--> statement-breakpoint
CREATE INDEX "caricatures_kept_memory" ON "caricatures" USING btree ("kept_memory_id");--> statement-breakpoint
ALTER TABLE "public_links" ADD CONSTRAINT "public_links_caricature_id_caricatures_id_fk" FOREIGN KEY ("caricature_id") REFERENCES "public"."caricatures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "public_links_one_of_caricature" ON "public_links" USING btree ("caricature_id") WHERE "public_links"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "public_links_by_caricature" ON "public_links" USING btree ("caricature_id");--> statement-breakpoint
ALTER TABLE "public_links" ADD CONSTRAINT "public_links_subject" CHECK (num_nonnulls("public_links"."memory_id", "public_links"."caricature_id") = 1);
--> statement-breakpoint
CREATE TRIGGER notify_of_new AFTER INSERT ON caricatures REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_of_changes('caricature');
--> statement-breakpoint
CREATE TRIGGER notify_of_changed AFTER UPDATE ON caricatures REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_of_changes('caricature');
--> statement-breakpoint
CREATE TRIGGER notify_of_gone AFTER DELETE ON caricatures REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_of_changes('caricature');
