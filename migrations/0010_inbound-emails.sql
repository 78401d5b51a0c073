CREATE TABLE "allowed_senders" (
	"owner_id" uuid NOT NULL,
	"address" text NOT NULL,
	CONSTRAINT "allowed_senders_owner_id_address_pk" PRIMARY KEY("owner_id","address")
);
--> statement-breakpoint
CREATE TABLE "inbound_emails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"message_id" text,
	"status" text NOT NULL,
	"envelope_sender" text,
	"spf_domain" text,
	"is_stored" boolean NOT NULL,
	"byte_size" integer DEFAULT 0 NOT NULL,
	"sender" text,
	"is_proven" boolean DEFAULT false NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"photo_count" integer DEFAULT 0 NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"outcome" jsonb,
	"tries" integer DEFAULT 0 NOT NULL,
	"try_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "inbound_emails_once" UNIQUE("owner_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "mailed_photos" (
	"owner_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"email_id" uuid NOT NULL,
	CONSTRAINT "mailed_photos_owner_id_sha256_pk" PRIMARY KEY("owner_id","sha256")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "inbound_token" text DEFAULT left(replace(gen_random_uuid()::text, '-', ''), 24) NOT NULL;--> statement-breakpoint
ALTER TABLE "allowed_senders" ADD CONSTRAINT "allowed_senders_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbound_emails" ADD CONSTRAINT "inbound_emails_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailed_photos" ADD CONSTRAINT "mailed_photos_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "inbound_emails_due" ON "inbound_emails" USING btree ("try_at") WHERE "inbound_emails"."status" = 'received';--> statement-breakpoint
CREATE INDEX "inbound_emails_waiting" ON "inbound_emails" USING btree ("owner_id","created_at","id") WHERE "inbound_emails"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "inbound_emails_created" ON "inbound_emails" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_inbound_token_unique" UNIQUE("inbound_token");