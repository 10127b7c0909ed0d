ALTER TABLE "webhook_watches" ADD COLUMN "look_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhook_watches" ADD COLUMN "decided_block" bigint;