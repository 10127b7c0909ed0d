CREATE TABLE "quote_pauses" (
	"chain_id" integer NOT NULL,
	"token_a" text NOT NULL,
	"token_b" text NOT NULL,
	"paused_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "quote_pauses_chain_id_token_a_token_b_pk" PRIMARY KEY("chain_id","token_a","token_b")
);
--> statement-breakpoint
CREATE TABLE "quote_secrets" (
	"id" text PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"signs_from" timestamp with time zone DEFAULT now() NOT NULL
);
