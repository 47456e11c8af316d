public class Calls {
  static int leaf(int n) {
    return n * 3 + 1;
  }

  static int branch(int n) {
    return n == 0 ? 0 : leaf(n) + branch(n - 1);
  }

  public static void main(String[] arguments) {
    int sum = 0;
    for (int i = 0; i < 10; i++)
      sum += branch(i);
    System.out.println(sum);
  }
}
