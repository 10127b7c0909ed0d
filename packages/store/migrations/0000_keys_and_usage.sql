CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"company" text,
	"email" text NOT NULL,
	"use_case" text NOT NULL,
	"expected_volume" text NOT NULL,
	"tier" text NOT NULL,
	"limits" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_secrets" (
	"hash" text PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"prefix" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "usage" (
	"key_id" text NOT NULL,
	"month" text NOT NULL,
	"operation" text NOT NULL,
	"calls" bigint NOT NULL,
	"refused" bigint NOT NULL,
	"last_call_at" timestamp with time zone,
	CONSTRAINT "usage_key_id_month_operation_pk" PRIMARY KEY("key_id","month","operation")
);
--> statement-breakpoint
CREATE TABLE "usage_writers" (
	"id" text PRIMARY KEY NOT NULL,
	"batch" bigint NOT NULL,
	"written_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_secrets" ADD CONSTRAINT "api_secrets_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_changed_at_index" ON "api_keys" USING btree ("changed_at");--> statement-breakpoint
CREATE INDEX "api_secrets_key_id_index" ON "api_secrets" USING btree ("key_id");