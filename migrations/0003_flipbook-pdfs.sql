CREATE TABLE "flipbook_pdfs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"memory_ids" uuid[] NOT NULL,
	"time_zone" text NOT NULL,
	"status" text NOT NULL,
	"memories_done" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"worker_id" uuid,
	"heartbeat_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "flipbook_pdfs_owner_id_unique" UNIQUE("owner_id")
);
--> statement-breakpoint
ALTER TABLE "flipbook_pdfs" ADD CONSTRAINT "flipbook_pdfs_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "flipbook_pdfs_status" ON "flipbook_pdfs" USING btree ("status","finished_at");