package com.acme

object Calls {
  def leaf(n: Int): Int = if (n == 0) 0 else leaf(n - 1) + 1

  def main(args: Array[String]): Unit = println(leaf(100))
}
