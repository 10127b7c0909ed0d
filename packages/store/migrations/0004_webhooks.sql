CREATE TABLE "market_states" (
	"chain_id" integer NOT NULL,
	"pool" text NOT NULL,
	"state" text NOT NULL,
	"block_number" bigint NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "market_states_chain_id_pool_pk" PRIMARY KEY("chain_id","pool")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"webhook_id" text NOT NULL,
	"subject" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"payload" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_owner" text,
	"lease_until" timestamp with time zone,
	"last_attempt_at" timestamp with time zone,
	"last_status" integer,
	"last_error" text,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_watches" (
	"key_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"transaction_hash" text NOT NULL,
	"cursor" text,
	"signed_transaction" text,
	"is_registered" boolean DEFAULT false NOT NULL,
	"status" text,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"checked_head" text,
	"checked_number" bigint,
	"checked_at" timestamp with time zone,
	"lease_owner" text,
	"lease_until" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "webhook_watches_key_id_chain_id_transaction_hash_pk" PRIMARY KEY("key_id","chain_id","transaction_hash")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"url" text NOT NULL,
	"events" jsonb NOT NULL,
	"secret" text NOT NULL,
	"old_secret" text,
	"old_secret_expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"failing_since" timestamp with time zone,
	"disabled_at" timestamp with time zone,
	"disabled_reason" text
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_watches" ADD CONSTRAINT "webhook_watches_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_id_due_at_index" ON "webhook_deliveries" USING btree ("webhook_id","due_at") WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_id_subject_position_index" ON "webhook_deliveries" USING btree ("webhook_id","subject","position") WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_id_lease_until_index" ON "webhook_deliveries" USING btree ("webhook_id","lease_until") WHERE "webhook_deliveries"."status" = 'pending' and "webhook_deliveries"."lease_until" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_id_position_index" ON "webhook_deliveries" USING btree ("webhook_id","position");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_ended_at_index" ON "webhook_deliveries" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "webhook_watches_chain_id_due_at_index" ON "webhook_watches" USING btree ("chain_id","due_at") WHERE "webhook_watches"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_watches_ended_at_index" ON "webhook_watches" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "webhook_watches_created_at_index" ON "webhook_watches" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhooks_key_id_index" ON "webhooks" USING btree ("key_id");