-- AlterTable
ALTER TABLE "node" ADD COLUMN "grpcUrl" TEXT;
