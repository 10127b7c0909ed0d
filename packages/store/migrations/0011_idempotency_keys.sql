CREATE TABLE "idempotency_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"input_hash" text NOT NULL,
	"outcome" text,
	"claim" text,
	"lease_until" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at_index" ON "idempotency_keys" USING btree ("created_at");