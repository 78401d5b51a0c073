CREATE TABLE "contacts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"recipient_id" uuid NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"relationship" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"frequency" text DEFAULT 'every' NOT NULL,
	"undeliverable_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contacts_recipient_unique" UNIQUE("recipient_id")
);
--> statement-breakpoint
CREATE TABLE "muted_pets" (
	"contact_id" uuid NOT NULL,
	"pet_id" uuid NOT NULL,
	CONSTRAINT "muted_pets_contact_id_pet_id_pk" PRIMARY KEY("contact_id","pet_id")
);
--> statement-breakpoint
CREATE TABLE "recipients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"address_hash" text NOT NULL,
	"token" text NOT NULL,
	"unsubscribed_at" timestamp (3) with time zone,
	"welcomed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recipients_token_unique" UNIQUE("token"),
	CONSTRAINT "recipients_address" UNIQUE("owner_id","address_hash")
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"memory_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"mail_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "deliveries_once" UNIQUE("memory_id","contact_id")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"try_at" timestamp (3) with time zone NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"first_tried_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "public_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"token" text NOT NULL,
	"memory_id" uuid NOT NULL,
	"contact_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "public_links_token_unique" UNIQUE("token")
);
--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_recipient_id_recipients_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "public"."recipients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "muted_pets" ADD CONSTRAINT "muted_pets_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "muted_pets" ADD CONSTRAINT "muted_pets_pet_id_pets_id_fk" FOREIGN KEY ("pet_id") REFERENCES "public"."pets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recipients" ADD CONSTRAINT "recipients_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_memory_id_memories_id_fk" FOREIGN KEY ("memory_id") REFERENCES "public"."memories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_mail_id_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."mails"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "public_links" ADD CONSTRAINT "public_links_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "public_links" ADD CONSTRAINT "public_links_memory_id_memories_id_fk" FOREIGN KEY ("memory_id") REFERENCES "public"."memories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "public_links" ADD CONSTRAINT "public_links_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contacts_owner" ON "contacts" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "muted_pets_pet" ON "muted_pets" USING btree ("pet_id");--> statement-breakpoint
CREATE INDEX "deliveries_ungrouped" ON "deliveries" USING btree ("owner_id","contact_id") WHERE "deliveries"."mail_id" is null;--> statement-breakpoint
CREATE INDEX "deliveries_mail" ON "deliveries" USING btree ("mail_id");--> statement-breakpoint
CREATE INDEX "deliveries_contact" ON "deliveries" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("try_at") WHERE "mails"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "mails_contact" ON "mails" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "mails_owner_sent" ON "mails" USING btree ("owner_id","sent_at");--> statement-breakpoint
CREATE INDEX "public_links_owner" ON "public_links" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "public_links_one" ON "public_links" USING btree ("memory_id",coalesce("contact_id", '00000000-0000-0000-0000-000000000000')) WHERE "public_links"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "public_links_by_contact" ON "public_links" USING btree ("contact_id");