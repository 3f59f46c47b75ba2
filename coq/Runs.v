(** * Every run returns the same: folds do not depend on the order of their elements

    The rules reason about one run, [in_order], in which folds take their elements in ascending order.  Here is why other runs
    return the same: every fold of the program carries a proof that order does not matter, by induction over its elements. *)
From Tallystick Require Export FoldRule.

Fixpoint folds (t : term) : list term := match t with
  | Op o args => flat_map folds args ++ match o with Fold | FoldByKey => [t] | _ => [] end
  | _ => []
  end.
(** The values that a by-key fold takes for the key [k]. *)
Definition values_of_key (k : val) (pairs : list val) : list val :=
  map (component 1) (filter (fun p => veqb (component 0 p) k) pairs).

(** What [how] returns for [t] is what the run in order returns. *)
Definition one_result (how : cluster) (r : env) (t : term) : Prop := match t with
  | Op Fold [i; f; b] => forall g, (forall m x, g m x = eval r x m f) ->
      how t g (meaning r i) (elements (meaning r b)) = meaning r t
  | Op FoldByKey [i; f; b] => forall g k, (forall m x, g m x = eval r x m f) -> In k (map (component 0) (elements (meaning r b))) ->
      how t g (meaning r i) (values_of_key k (elements (meaning r b))) =
      fold_left (fun m x => eval r x m f) (values_of_key k (elements (meaning r b))) (meaning r i)
  | _ => True
  end.

Theorem runs_alike how r t : Forall (one_result how r) (folds t) -> forall e a, run how r e a t = eval r e a t.
Proof.
  induction t using term_ind'; intros O e a; try reflexivity. cbn [folds] in O. apply Forall_app in O as [O1 O2].
  assert (X : forall x, In x args -> forall e a, run how r e a x = eval r e a x).
  { rewrite Forall_forall in H. intros x I. apply H; auto. rewrite Forall_forall in O1. apply Forall_forall. intros y Y. apply O1, in_flat_map. eauto. }
  assert (M : forall e a, map (run how r e a) args = map (eval r e a) args) by (intros; apply map_ext_in; auto).
  clear H O1.
  destruct o; cbn [run]; rewrite ?M; auto; destruct args as [|x [|y [|z [|]]]]; auto; cbn [In] in *;
    rewrite ?(X x), ?(X y), ?(X z) by tauto; auto.
  - f_equal. apply map_ext. intros; apply X; auto.
  - f_equal. apply filter_ext. intros; f_equal. apply X; auto.
  - inversion O2 as [|? ? O _]; subst. apply O. intros; apply X; auto.
  - inversion O2 as [|? ? O _]; subst. cbn [in_order]. f_equal. apply map_ext_in. intros k K. do 3 f_equal.
    apply (proj1 (dedup_in _ _)) in K. apply (O _ k); auto.
Qed.

Lemma fold_left_same {A B} (f g : A -> B -> A) l : (forall a b, f a b = g a b) -> forall a, fold_left f l a = fold_left g l a.
Proof. intros E. induction l as [|x l IH]; cbn; intros a; auto. now rewrite E. Qed.

(** ** Any order *)
Definition takes_any_order (r : env) (t : term) : Prop := match t with
  | Op Fold [i; f; b] => forall l, Permutation (elements (meaning r b)) l ->
      fold_left (fun m x => eval r x m f) l (meaning r i) = meaning r t
  | Op FoldByKey [i; f; b] => forall k l, Permutation (values_of_key k (elements (meaning r b))) l ->
      fold_left (fun m x => eval r x m f) l (meaning r i) =
      fold_left (fun m x => eval r x m f) (values_of_key k (elements (meaning r b))) (meaning r i)
  | _ => True
  end.
Lemma any_order_result how r t : any_order how -> takes_any_order r t -> one_result how r t.
Proof.
  intros AO T. destruct t as [| | | | |o args]; try exact I. destruct o; try exact I; destruct args as [|i [|f [|b [|]]]]; try exact I.
  - intros g E. destruct (AO (Op Fold [i; f; b]) g (meaning r i) (elements (meaning r b))) as (l & P & ->).
    rewrite (fold_left_same g _ l E). now apply T.
  - intros g k E _. destruct (AO (Op FoldByKey [i; f; b]) g (meaning r i) (values_of_key k (elements (meaning r b)))) as (l & P & ->).
    rewrite (fold_left_same g _ l E). now apply T.
Qed.

