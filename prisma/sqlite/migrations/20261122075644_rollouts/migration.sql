-- CreateTable
CREATE TABLE "rollout" (
    "id" TEXT NOT NULL PRIMARY KEY,
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
    "createdAt" DATETIME NOT NULL,
    "createdByName" TEXT NOT NULL,
    "endedAt" DATETIME,
    "note" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "lease" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "holder" TEXT NOT NULL,
    "fence" INTEGER NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "rollout_active_idx" ON "rollout"("active");

-- CreateIndex
CREATE INDEX "rollout_model_createdAt_idx" ON "rollout"("model", "createdAt");
