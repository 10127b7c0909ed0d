ALTER TABLE "api_keys" ADD COLUMN "kind" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "scopes" jsonb;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "allowed_cidrs" jsonb;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "is_cidr_dry_run" boolean;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "allowed_origins" jsonb;--> statement-breakpoint
CREATE INDEX "api_keys_with_origins" ON "api_keys" USING btree ("id") WHERE "api_keys"."allowed_origins" is not null;