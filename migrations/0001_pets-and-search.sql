CREATE TABLE "idempotency_keys" (
	"owner_id" uuid NOT NULL,
	"call" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" integer NOT NULL,
	"answer" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_owner_id_call_key_pk" PRIMARY KEY("owner_id","call","key")
);
--> statement-breakpoint
CREATE TABLE "memory_words" (
	"owner_id" uuid NOT NULL,
	"word" text COLLATE "C" NOT NULL,
	"memory_id" uuid NOT NULL,
	"is_of_pet" boolean NOT NULL,
	CONSTRAINT "memory_words_owner_id_word_memory_id_is_of_pet_pk" PRIMARY KEY("owner_id","word","memory_id","is_of_pet")
);
--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "added_day" date;--> statement-breakpoint
UPDATE "memories" SET "added_day" = ("memories"."created_at" AT TIME ZONE coalesce((SELECT "name" FROM "pg_timezone_names" WHERE "name" = "users"."time_zone"), 'UTC'))::date FROM "users" WHERE "users"."id" = "memories"."owner_id";--> statement-breakpoint
ALTER TABLE "memories" ALTER COLUMN "added_day" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "taken_at" timestamp(0) GENERATED ALWAYS AS (coalesce(memory_day, added_day) + coalesce(memory_time, time '00:00')) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memory_words" ADD CONSTRAINT "memory_words_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memory_words" ADD CONSTRAINT "memory_words_memory_id_memories_id_fk" FOREIGN KEY ("memory_id") REFERENCES "public"."memories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "memory_words_memory" ON "memory_words" USING btree ("memory_id");--> statement-breakpoint
CREATE INDEX "memories_owner_taken" ON "memories" USING btree ("owner_id","taken_at","created_at","id");--> statement-breakpoint
INSERT INTO "memory_words" ("owner_id", "word", "memory_id", "is_of_pet")
SELECT DISTINCT "owner_id", left("found"."word", 64), "memories"."id", false
FROM "memories", regexp_split_to_table(
	regexp_replace(lower(normalize(concat_ws(' ', "caption", array_to_string("tags", ' ')), NFKD)), '[\u0300-\u036f]', '', 'g'),
	'[^[:alnum:]]+'
) AS "found"("word")
WHERE "found"."word" <> '';
