-- CreateTable
CREATE TABLE "rollout" (
    "id" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "baseline" TEXT NOT NULL,
    "candidate" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "state" JSONB NOT NULL,
    "phase" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL,
    "evidence" JSONB NOT NULL,
    "history" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "createdByName" TEXT NOT NULL,
    "endedAt" TIMESTAMP(3),
    "note" TEXT NOT NULL,

    CONSTRAINT "rollout_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lease" (
    "name" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "fence" INTEGER NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "lease_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "rollout_active_idx" ON "rollout"("active");

-- CreateIndex
CREATE INDEX "rollout_model_createdAt_idx" ON "rollout"("model", "createdAt");
