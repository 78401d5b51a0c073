CREATE TABLE "inbound_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"provider_message_id" text NOT NULL,
	"sender" text NOT NULL,
	"kind" text NOT NULL,
	"pet_id" uuid,
	"caption" text,
	"media" jsonb NOT NULL,
	"status" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"undone_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "inbound_messages_once" UNIQUE("owner_id","provider","provider_message_id")
);
--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "inbound_message_id" uuid;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "position" integer;--> statement-breakpoint
ALTER TABLE "inbound_messages" ADD CONSTRAINT "inbound_messages_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbound_messages" ADD CONSTRAINT "inbound_messages_pet_id_pets_id_fk" FOREIGN KEY ("pet_id") REFERENCES "public"."pets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_messages_text_once" ON "inbound_messages" USING btree ("provider_message_id") WHERE "inbound_messages"."provider" = 'twilio';--> statement-breakpoint
CREATE INDEX "inbound_messages_sender" ON "inbound_messages" USING btree ("owner_id","sender","created_at");--> statement-breakpoint
CREATE INDEX "inbound_messages_pet" ON "inbound_messages" USING btree ("pet_id");--> statement-breakpoint
CREATE INDEX "inbound_messages_created" ON "inbound_messages" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_inbound_message_id_inbound_messages_id_fk" FOREIGN KEY ("inbound_message_id") REFERENCES "public"."inbound_messages"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_of_message_once" UNIQUE("inbound_message_id","position");