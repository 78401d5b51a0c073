-- The names that the code has used for long.
ALTER TABLE "mails" RENAME TO "emails";--> statement-breakpoint
ALTER TABLE "recipients" RENAME TO "suppression_entries";--> statement-breakpoint
ALTER TABLE "mailed_photos" RENAME TO "email_photos";--> statement-breakpoint
ALTER TABLE "memory_words" RENAME TO "memory_search_terms";--> statement-breakpoint
ALTER TABLE "public_links" RENAME TO "shares";--> statement-breakpoint
ALTER TABLE "account_tokens" RENAME TO "user_tokens";--> statement-breakpoint
ALTER TABLE "invites" RENAME TO "invitations";--> statement-breakpoint
ALTER TABLE "emails" RENAME COLUMN "try_at" TO "next_attempt_at";--> statement-breakpoint
ALTER TABLE "emails" RENAME COLUMN "tries" TO "attempts";--> statement-breakpoint
ALTER TABLE "emails" RENAME COLUMN "first_tried_at" TO "first_attempt_at";--> statement-breakpoint
ALTER TABLE "deliveries" RENAME COLUMN "mail_id" TO "email_id";--> statement-breakpoint
ALTER TABLE "contacts" RENAME COLUMN "recipient_id" TO "suppression_entry_id";--> statement-breakpoint
ALTER TABLE "memory_search_terms" RENAME COLUMN "word" TO "term";--> statement-breakpoint
ALTER TABLE "caricatures" RENAME COLUMN "kept_memory_id" TO "saved_memory_id";--> statement-breakpoint
ALTER TABLE "caricatures" RENAME COLUMN "artist" TO "generator";--> statement-breakpoint
ALTER TABLE "idempotency_keys" RENAME COLUMN "call" TO "endpoint";--> statement-breakpoint
ALTER TABLE "phone_codes" RENAME COLUMN "wrong_tries" TO "failed_attempts";--> statement-breakpoint
ALTER TABLE "inbound_messages" RENAME COLUMN "tries" TO "attempts";--> statement-breakpoint
ALTER TABLE "inbound_emails" RENAME COLUMN "tries" TO "attempts";--> statement-breakpoint
ALTER TABLE "inbound_emails" RENAME COLUMN "try_at" TO "next_attempt_at";--> statement-breakpoint
ALTER TABLE "inbound_emails" RENAME COLUMN "is_proven" TO "is_authenticated";--> statement-breakpoint
ALTER TABLE "caricatures" RENAME CONSTRAINT "caricatures_kept_memory_id_memories_id_fk" TO "caricatures_saved_memory_id_memories_id_fk";--> statement-breakpoint
ALTER TABLE "contacts" RENAME CONSTRAINT "contacts_recipient_id_recipients_id_fk" TO "contacts_suppression_entry_id_suppression_entries_id_fk";--> statement-breakpoint
ALTER TABLE "contacts" RENAME CONSTRAINT "contacts_recipient_unique" TO "contacts_suppression_entry_unique";--> statement-breakpoint
ALTER TABLE "deliveries" RENAME CONSTRAINT "deliveries_mail_id_mails_id_fk" TO "deliveries_email_id_emails_id_fk";--> statement-breakpoint
ALTER TABLE "email_photos" RENAME CONSTRAINT "mailed_photos_owner_id_sha256_pk" TO "email_photos_owner_id_sha256_pk";--> statement-breakpoint
ALTER TABLE "email_photos" RENAME CONSTRAINT "mailed_photos_owner_id_users_id_fk" TO "email_photos_owner_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "emails" RENAME CONSTRAINT "mails_contact_id_contacts_id_fk" TO "emails_contact_id_contacts_id_fk";--> statement-breakpoint
ALTER TABLE "emails" RENAME CONSTRAINT "mails_owner_id_users_id_fk" TO "emails_owner_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "emails" RENAME CONSTRAINT "mails_pkey" TO "emails_pkey";--> statement-breakpoint
ALTER TABLE "idempotency_keys" RENAME CONSTRAINT "idempotency_keys_owner_id_call_key_pk" TO "idempotency_keys_owner_id_endpoint_key_pk";--> statement-breakpoint
ALTER TABLE "invitations" RENAME CONSTRAINT "invites_emailed_token_hash_unique" TO "invitations_emailed_token_hash_unique";--> statement-breakpoint
ALTER TABLE "invitations" RENAME CONSTRAINT "invites_owner_id_users_id_fk" TO "invitations_owner_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "invitations" RENAME CONSTRAINT "invites_pkey" TO "invitations_pkey";--> statement-breakpoint
ALTER TABLE "invitations" RENAME CONSTRAINT "invites_token_hash_unique" TO "invitations_token_hash_unique";--> statement-breakpoint
ALTER TABLE "memory_search_terms" RENAME CONSTRAINT "memory_words_memory_id_memories_id_fk" TO "memory_search_terms_memory_id_memories_id_fk";--> statement-breakpoint
ALTER TABLE "memory_search_terms" RENAME CONSTRAINT "memory_words_owner_id_users_id_fk" TO "memory_search_terms_owner_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "memory_search_terms" RENAME CONSTRAINT "memory_words_owner_id_word_memory_id_is_of_pet_pk" TO "memory_search_terms_owner_id_term_memory_id_is_of_pet_pk";--> statement-breakpoint
ALTER TABLE "shares" RENAME CONSTRAINT "public_links_caricature_id_caricatures_id_fk" TO "shares_caricature_id_caricatures_id_fk";--> statement-breakpoint
ALTER TABLE "shares" RENAME CONSTRAINT "public_links_contact_id_contacts_id_fk" TO "shares_contact_id_contacts_id_fk";--> statement-breakpoint
ALTER TABLE "shares" RENAME CONSTRAINT "public_links_memory_id_memories_id_fk" TO "shares_memory_id_memories_id_fk";--> statement-breakpoint
ALTER TABLE "shares" RENAME CONSTRAINT "public_links_owner_id_users_id_fk" TO "shares_owner_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "shares" RENAME CONSTRAINT "public_links_pkey" TO "shares_pkey";--> statement-breakpoint
ALTER TABLE "shares" RENAME CONSTRAINT "public_links_subject" TO "shares_subject";--> statement-breakpoint
ALTER TABLE "shares" RENAME CONSTRAINT "public_links_token_unique" TO "shares_token_unique";--> statement-breakpoint
ALTER TABLE "suppression_entries" RENAME CONSTRAINT "recipients_address" TO "suppression_entries_address";--> statement-breakpoint
ALTER TABLE "suppression_entries" RENAME CONSTRAINT "recipients_owner_id_users_id_fk" TO "suppression_entries_owner_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "suppression_entries" RENAME CONSTRAINT "recipients_pkey" TO "suppression_entries_pkey";--> statement-breakpoint
ALTER TABLE "suppression_entries" RENAME CONSTRAINT "recipients_token_unique" TO "suppression_entries_token_unique";--> statement-breakpoint
ALTER TABLE "user_tokens" RENAME CONSTRAINT "account_tokens_created_by_users_id_fk" TO "user_tokens_created_by_users_id_fk";--> statement-breakpoint
ALTER TABLE "user_tokens" RENAME CONSTRAINT "account_tokens_owner_id_users_id_fk" TO "user_tokens_owner_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "user_tokens" RENAME CONSTRAINT "account_tokens_pkey" TO "user_tokens_pkey";--> statement-breakpoint
ALTER TABLE "user_tokens" RENAME CONSTRAINT "account_tokens_token_hash_unique" TO "user_tokens_token_hash_unique";--> statement-breakpoint
ALTER INDEX "caricatures_kept_memory" RENAME TO "caricatures_saved_memory";--> statement-breakpoint
ALTER INDEX "deliveries_mail" RENAME TO "deliveries_email";--> statement-breakpoint
ALTER INDEX "mails_contact" RENAME TO "emails_contact";--> statement-breakpoint
ALTER INDEX "mails_due" RENAME TO "emails_due";--> statement-breakpoint
ALTER INDEX "mails_owner_sent" RENAME TO "emails_owner_sent";--> statement-breakpoint
ALTER INDEX "inbound_emails_proven_once" RENAME TO "inbound_emails_authenticated_once";--> statement-breakpoint
ALTER INDEX "inbound_messages_text_once" RENAME TO "inbound_messages_sms_once";--> statement-breakpoint
ALTER INDEX "invites_owner" RENAME TO "invitations_owner";--> statement-breakpoint
ALTER INDEX "memory_words_memory" RENAME TO "memory_search_terms_memory";--> statement-breakpoint
ALTER INDEX "public_links_by_caricature" RENAME TO "shares_caricature";--> statement-breakpoint
ALTER INDEX "public_links_by_contact" RENAME TO "shares_contact";--> statement-breakpoint
ALTER INDEX "public_links_one" RENAME TO "shares_memory_once";--> statement-breakpoint
ALTER INDEX "public_links_one_of_caricature" RENAME TO "shares_caricature_once";--> statement-breakpoint
ALTER INDEX "public_links_own" RENAME TO "shares_active";--> statement-breakpoint
ALTER INDEX "public_links_owner" RENAME TO "shares_owner";--> statement-breakpoint
ALTER INDEX "account_tokens_owner" RENAME TO "user_tokens_owner";--> statement-breakpoint
UPDATE "inbound_messages" SET "kind" = 'no-photos' WHERE "kind" = 'words';--> statement-breakpoint
-- Since Postgres 18 they have names, which contain those of the table and the column.
DO $$
DECLARE
  old record;
BEGIN
  FOR old IN
    SELECT conrelid::regclass AS table_name, conname, relname || '_' || attname || '_not_null' AS new_name
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
      JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
    WHERE contype = 'n' AND connamespace = 'public'::regnamespace
  LOOP
    IF old.conname <> old.new_name THEN
      EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', old.table_name, old.conname, old.new_name);
    END IF;
  END LOOP;
END $$;--> statement-breakpoint
ALTER FUNCTION notify_of_waiting_mail() RENAME TO notify_of_held_message;--> statement-breakpoint
-- Payloads of waiting jobs. The queue takes over the jobs of former names. In a new database it has no tables yet.
DO $$ BEGIN
  IF to_regclass('pgboss.job') IS NOT NULL THEN
    UPDATE pgboss.job SET data = data - 'mailId' || jsonb_build_object('emailId', data -> 'mailId')
      WHERE data ? 'mailId';
    UPDATE pgboss.job SET data = data - 'inviteId' || jsonb_build_object('invitationId', data -> 'inviteId')
      WHERE data ? 'inviteId';
  END IF;
END $$;